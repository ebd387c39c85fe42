/** Where the console is: the folder of the page, whatever path a proxy puts in front. */
export const consoleUrl = new URL('.', document.baseURI)

/** Where the interface is. */
export const apiUrl = new URL('../v1', consoleUrl)

/** Where the reference page is. */
export const docsUrl = new URL('../docs', consoleUrl)

/** The environment that the service serves; it writes it into the page. */
export const environment =
  document.querySelector<HTMLMetaElement>('meta[name="petstore-environment"]')?.content ===
  'staging'
    ? 'staging'
    : 'production'
