/** A group of operations in the reference. A feature with a group of its own declares another tag. */
export type Tag = { name: string; displayName: string; description: string }

/** Interface 1.0.0, section 4: all of its endpoints are tagged `animals`. */
export const animalsTag: Tag = {
  name: 'animals',
  displayName: 'Animals',
  description: 'The catalogue: animals and their categories.',
}

export const storeTag: Tag = {
  name: 'store',
  displayName: 'Store',
  description: 'Orders and the inventory.',
}

export const serviceTag: Tag = {
  name: 'service',
  displayName: 'Service',
  description: 'Health, and this document. No key is needed.',
}
