/** What the scripts of a page may do; `requests`: send requests to this service too. */
export type Scripts = 'none' | 'run' | 'requests'

/** Of pages, and of what they load. */
export const assetHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
}

/** What a browser may do with a page. No page loads from elsewhere, and none may be in a frame. */
export function pageHeaders(scripts: Scripts): Record<string, string> {
  const policy = [
    "default-src 'none'",
    ...(scripts === 'none' ? [] : ["script-src 'self'"]),
    ...(scripts === 'requests' ? ["connect-src 'self'"] : []),
    "style-src 'self'",
    // Pictures that requests return.
    scripts === 'requests' ? "img-src 'self' blob:" : "img-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ]
  return { 'content-security-policy': policy.join('; '), ...assetHeaders }
}
