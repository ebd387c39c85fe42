export function keepCompiledCode(): void
export function resolveSourcesAsUrls(): void
