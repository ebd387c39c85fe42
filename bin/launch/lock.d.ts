export function withLock<Result>(
  path: string,
  work: (addProcess: (pid: number) => void) => Promise<Result>,
): Promise<Result>
