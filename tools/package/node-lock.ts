type Locked = { version: string; integrity?: string; optional?: boolean; os?: string[] }
type Lock = { packages: Record<string, Locked> }

const nodePackage = /^node_modules\/node-(?:bin-)?(?:darwin|linux|win)-\w+$/

/** What the launcher installs where the Node that is there lacks something: one Node for each platform, with its hash. */
export function nodeLock({ packages }: Lock): {
  manifest: object
  lock: Record<string, unknown> & { version: string }
} {
  const nodes = Object.entries(packages).filter(([path]) => nodePackage.test(path))
  const [version, ...others] = new Set(nodes.map(([, node]) => node.version))
  if (version === undefined || others.length > 0) {
    throw new Error('package-lock.json must have one version of Node for all platforms.')
  }
  const optionalDependencies = Object.fromEntries(
    nodes.map(([path, node]) => [path.slice('node_modules/'.length), node.version]),
  )
  const manifest = { name: 'petstore-node', version, private: true, optionalDependencies }
  return {
    manifest,
    lock: {
      name: manifest.name,
      version,
      lockfileVersion: 3,
      requires: true,
      packages: {
        '': { name: manifest.name, version, optionalDependencies },
        ...Object.fromEntries(nodes),
      },
    },
  }
}
