import { Box, Group, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'

type Props = {
  title: string
  text?: ReactNode
  icon?: IconName
  /** It is an error that a screen reader says at once. */
  isAlert?: boolean
  /** It stands for a whole page, and is its heading. */
  isPage?: boolean
  /** What to do about it. */
  children?: ReactNode
}

/** In place of a list or a page: nothing is there, or it failed, and what to do. */
export function Notice(props: Props) {
  const { title, text, icon = 'paw', isAlert = false, isPage = false, children } = props
  return (
    <Stack
      role={isAlert ? 'alert' : undefined}
      align="center"
      gap="0.5rem"
      maw="30rem"
      m="auto"
      px="1.25rem"
      py="2.5rem"
      ta="center"
    >
      <Box c={isAlert ? 'var(--danger)' : 'dimmed'} mb="0.4rem" lh={0}>
        <Icon name={isAlert ? 'alert' : icon} size={44} />
      </Box>
      <Title order={isPage ? 1 : 2} fz="1.15rem">
        {title}
      </Title>
      {text !== undefined && <Text c="dimmed">{text}</Text>}
      <Group gap="0.6rem" mt="0.6rem" justify="center">
        {children}
      </Group>
    </Stack>
  )
}
