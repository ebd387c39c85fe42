const address = /new URL\('([^']+)\.ts', import\.meta\.url\)/g
const swaggerFile = /import\.meta\.resolve\(`swagger-ui-dist\/\$\{name\}`\)/g
const otherTs = /(['"`])\.{1,2}\/[^'"`\n]*(?<!\.d)\.ts\1/g

/** Emitted JavaScript as the package has it: its own file names, and commands that work where it is installed. */
export function rewriteScript(text: string): string {
  const script = text
    .replaceAll(address, "new URL('$1.js', import.meta.url)")
    .replaceAll(swaggerFile, "new URL('swagger-ui/' + name, import.meta.url).href")
    .replaceAll('`bin/petstore keys', '`npx petstore-service keys')
  const [missed] = script.match(otherTs) ?? []
  if (missed !== undefined) throw new Error(`A script of the package still names ${missed}.`)
  return script
}

/** Declarations whose imports a compiler of any age resolves. */
export function rewriteDeclaration(text: string): string {
  return text.replaceAll(/(from '\.[^']*|import\('\.[^']*)\.ts'/g, "$1.js'")
}
