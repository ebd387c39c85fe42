// {{petId}} is then sent with every digit, in an address as in a body.
const pet = JSON.parse(pm.response.text(), (key, value, { source }) =>
  ['id', 'petId', 'categoryId'].includes(key) && typeof value === 'number' ? source : value,
)
pm.collectionVariables.set('petId', pet.id)
