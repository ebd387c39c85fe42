export type Repository = { type: 'git'; url: string; directory?: string }

/** Where the CI, by its environment, has its commit from. A registry compares it with the provenance. Throws elsewhere. */
export function repositoryOf(environment: Record<string, string | undefined>): Repository {
  const required = (name: string, remedy: string) => {
    const value = environment[name]
    if (!value) throw new Error(`${name} is not set: ${remedy}.`)
    return value
  }
  if (environment.GITHUB_ACTIONS === 'true') {
    required('ACTIONS_ID_TOKEN_REQUEST_URL', 'give the job the permission id-token: write')
    const server = required('GITHUB_SERVER_URL', 'GitHub Actions sets it')
    const path = required('GITHUB_REPOSITORY', 'GitHub Actions sets it')
    return gitRepository(`${server}/${path}`)
  }
  if (environment.GITLAB_CI === 'true') {
    required('SIGSTORE_ID_TOKEN', 'name it in the id_tokens of the job, with aud: sigstore')
    return gitRepository(required('CI_PROJECT_URL', 'GitLab CI sets it'))
  }
  throw new Error(
    'A package is published by GitHub Actions or GitLab CI alone: only there npm can sign where it comes from.',
  )
}

function gitRepository(address: string): Repository {
  if (!/^https:\/\/[^/\s]+\/\S+$/.test(address))
    throw new Error(`${address} is not the address of a public repository.`)
  return { type: 'git', url: `git+${address}.git` }
}
