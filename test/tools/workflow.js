// Writes the workflow of arazzo.json as a collection, of the requests that openapi-to-postmanv2 made of its operations.
import { readFileSync, writeFileSync } from 'node:fs'

const read = (path) => JSON.parse(readFileSync(path, 'utf8'))
const operations = Object.values(read('openapi.json').paths).flatMap((path) => Object.values(path))
const collection = read('collection.json')
const requestsIn = (item) => item.item?.flatMap(requestsIn) ?? [item]
const requests = requestsIn(collection)

/** An output of an earlier step is a variable of the collection. */
const variableOf = (value) =>
  typeof value === 'string' ? value.replace(/^\$steps\.\w+\.outputs\.(\w+)$/, '{{$1}}') : value

/** A runtime expression of Arazzo as one of a script. */
const scriptOf = (expression) =>
  expression
    .replace('$statusCode', 'pm.response.code')
    .replace(/\$response\.body#?([\w/]*)/, (_, pointer) => {
      const members = pointer.split('/').slice(1)
      return ['pm.response.json()', ...members.map((name) => `['${name}']`)].join('')
    })

collection.item = read('arazzo.json').workflows[0].steps.map((step) => {
  const { stepId, operationId, parameters = [], requestBody, successCriteria, outputs = {} } = step
  const { summary } = operations.find((operation) => operation.operationId === operationId)
  const { request } = requests.find(({ name }) => name === summary)
  const placed = (place) =>
    parameters
      .filter((parameter) => parameter.in === place)
      .map(({ name, value }) => ({ key: name, value: variableOf(value) }))
  Object.assign(request.url, { variable: placed('path'), query: placed('query') })
  if (requestBody) {
    const payload = JSON.stringify(requestBody.payload, (_, value) => variableOf(value))
    request.body.raw = payload.replaceAll(/"(\{\{\w+\}\})"/g, '$1')
  }
  const checks = successCriteria.map(({ condition }) => {
    return `pm.test(${JSON.stringify(condition)}, () => pm.expect(${scriptOf(condition)}).to.be.true)`
  })
  const kept = Object.entries(outputs).map(([name, value]) => {
    return `pm.collectionVariables.set('${name}', ${scriptOf(value)})`
  })
  return {
    name: stepId,
    request,
    event: [{ listen: 'test', script: { exec: [...checks, ...kept] } }],
  }
})
writeFileSync('workflow.json', JSON.stringify(collection))
