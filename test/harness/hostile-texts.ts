/** Names and words that would do harm where they are not shown as text; the last is as long as a name may be. */
export const hostileTexts = [
  '<img src=x onerror="document.title=1">',
  '</script><script>document.title=2</script>',
  'Rex\u202elived\u2066',
  '𝒳'.repeat(1_000),
]
