export function lackOf(node: { versions: NodeJS.ProcessVersions }): string | undefined
