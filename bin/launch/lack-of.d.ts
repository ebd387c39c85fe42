type Runtime = { versions: NodeJS.ProcessVersions }

export function lackOf(node: Runtime): string | undefined
export function lackOfMemory(node: Runtime): string | undefined
