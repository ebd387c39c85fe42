import { Text } from '@mantine/core'
import type { Count } from '../api/counts.ts'
import { count } from './numbers.ts'

/** A count as the reader writes numbers; one that takes too long is left out, and says so. */
export function CountText({ value }: { value: Count | undefined }) {
  if (value === undefined) return '…'
  if (value !== 'tooLong') return count(value)
  return (
    <Text span inherit c="dimmed" title="Counting takes too long in a store of this size.">
      not counted
    </Text>
  )
}
