import { Text } from '@mantine/core'
import type { Count } from '../api/counts.ts'
import { formatCount } from '../base/format.ts'

/** A count as the reader writes numbers; one that takes too long is left out, and says so. */
export function CountText({ value }: { value: Count | undefined }) {
  if (value === undefined) return '…'
  if (value !== 'tooLong') return formatCount(value)
  return (
    <Text
      span
      inherit
      c="dimmed"
      title="Counting takes too long at the moment. It is tried again by itself."
    >
      not counted
    </Text>
  )
}
