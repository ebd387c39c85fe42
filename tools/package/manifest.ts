type Manifest = Record<string, unknown> & {
  version: string
  license: string
  dependencies: Record<string, string>
}

/** Packages of which the package carries the few files that are served. */
export const carried = ['swagger-ui-dist']

/** The package.json of the package, from that of the repository: exact production packages, and no Node. */
export function packageManifest(repository: Manifest): Record<string, unknown> {
  const dependencies = Object.entries(repository.dependencies)
  return {
    name: 'petstore-service',
    version: repository.version,
    description:
      'A pet store of its own for each test: strict, stateful, exact to one OpenAPI document.',
    keywords: ['openapi', 'petstore', 'mock', 'testing', 'test-server', 'rest'],
    license: repository.license,
    type: 'module',
    engines: { node: '>=20' },
    bin: { petstore: 'bin/petstore' },
    exports: {
      '.': {
        import: { types: './src/start-petstore.d.ts', default: './src/start-petstore.js' },
        require: {
          types: './require/src/start-petstore/require.d.ts',
          default: './require/src/start-petstore/require.js',
        },
      },
      './openapi.json': './openapi.json',
      './package.json': './package.json',
    },
    types: './src/start-petstore.d.ts',
    files: [
      'bin',
      'client/README.md',
      'console',
      'docs',
      'migrations',
      'require',
      'src',
      'CHANGELOG.md',
      'THIRD-PARTY.md',
      'openapi.json',
    ],
    publishConfig: { access: 'public', provenance: true },
    dependencies: Object.fromEntries(dependencies.filter(([name]) => !carried.includes(name))),
  }
}
