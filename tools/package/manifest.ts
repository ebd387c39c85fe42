type Manifest = Record<string, unknown> & {
  version: string
  license: string
}

/** The package.json of the package, from that of the repository: no dependencies, since it carries what it needs. */
export function packageManifest(repository: Manifest): Record<string, unknown> {
  return {
    name: 'petstore-service',
    version: repository.version,
    description:
      'A pet store of its own for each test: strict, stateful, exact to one OpenAPI document.',
    keywords: ['openapi', 'petstore', 'mock', 'testing', 'test-server', 'rest'],
    license: repository.license,
    type: 'module',
    engines: { node: '>=22.16' },
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
      'lib',
      'migrations',
      'require',
      'src',
      'CHANGELOG.md',
      'THIRD-PARTY.md',
      'openapi.json',
    ],
    publishConfig: { access: 'public', provenance: true },
  }
}
