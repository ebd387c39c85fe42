/** How the client calls an operation: `client.NAMESPACE.NAME(…)`. */
export type ClientMethod = { namespace: string; name: string }

type Described = { operationId: string; security?: unknown[] | undefined }

/** The methods of the client by operation id, in the order of the document. */
export function clientMethodsOf(
  paths: Record<string, Record<string, Described>>,
): ReadonlyMap<string, ClientMethod> {
  const methods = new Map<string, ClientMethod>()
  const taken = new Set<string>()
  for (const [path, operations] of Object.entries(paths)) {
    for (const { operationId, security } of Object.values(operations)) {
      const method = methodOf(operationId, path, security?.length === 0)
      // Of two operations of one name in a namespace, the second is called by its id.
      if (taken.has(`${method.namespace}.${method.name}`)) method.name = operationId
      taken.add(`${method.namespace}.${method.name}`)
      methods.set(operationId, method)
    }
  }
  return methods
}

function methodOf(operationId: string, path: string, isOpen: boolean): ClientMethod {
  // Health and the document, which are no records.
  if (isOpen) return { namespace: 'service', name: operationId }
  return { namespace: namespaceOf(path), name: /^[a-z]+/.exec(operationId)?.[0] ?? operationId }
}

/** The collection that a path is about: what stands before its id, or at its end. */
function namespaceOf(path: string): string {
  const segments = path.split('/')
  const idIndex = segments.findIndex((segment) => segment.startsWith('{'))
  const collection = segments.at(idIndex - (idIndex < 0 ? 0 : 1)) ?? ''
  return collection.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}
