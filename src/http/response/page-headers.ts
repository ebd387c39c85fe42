/** What the scripts of a page may do; with `requests` they may also send requests to this service. */
export type Scripts = 'none' | 'run' | 'requests'

/** Headers of pages and of the files that they load. */
export const assetHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
}

/** Headers of a page. It loads nothing from other hosts and may not be framed. */
export function pageHeaders(scripts: Scripts): Record<string, string> {
  const policy = [
    "default-src 'none'",
    ...(scripts === 'none' ? [] : ["script-src 'self'"]),
    ...(scripts === 'requests' ? ["connect-src 'self'"] : []),
    "style-src 'self'",
    // `blob:` for pictures that requests return.
    scripts === 'requests' ? "img-src 'self' blob:" : "img-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ]
  return { 'content-security-policy': policy.join('; '), ...assetHeaders }
}
