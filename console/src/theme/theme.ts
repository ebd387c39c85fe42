import { createTheme, defaultVariantColorsResolver } from '@mantine/core'

// No component may add a style element: the Content-Security-Policy allows none, and Trusted Types no text for one.
const noScrollLock = { lockScroll: false }

const card = { background: 'var(--card)' }
const onCard = { content: card, header: card }

/** How Mantine's components look. Their variables are in `theme.css`: none are written at run time. */
export const theme = createTheme({
  primaryColor: 'teal',
  variantColorResolver: (input) => {
    const resolved = defaultVariantColorsResolver(input)
    const isFilledAccent = input.variant === 'filled' && (input.color ?? 'teal') === 'teal'
    return isFilledAccent ? { ...resolved, color: 'var(--on-accent)' } : resolved
  },
  fontFamily: 'var(--sans)',
  fontFamilyMonospace: 'var(--mono)',
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Anchor: { defaultProps: { underline: 'always' } },
    Code: {
      styles: { root: { overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' } },
      defaultProps: { color: 'var(--inset)', c: 'var(--ink)' },
    },
    // Fields beside each other stay in line, whichever of them has a description.
    InputWrapper: {
      defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] },
    },
    Modal: {
      defaultProps: { ...noScrollLock, radius: 'lg', closeButtonProps: { 'aria-label': 'Close' } },
      styles: onCard,
    },
    // In the page's landmark; the list itself scrolls, which a combobox moves by its own keys.
    Select: {
      defaultProps: {
        comboboxProps: { portalProps: { target: '#page' }, floatingStrategy: 'fixed' },
        withScrollArea: false,
      },
      styles: { options: { maxHeight: 220, overflowY: 'auto' } },
    },
    SpotlightRoot: { defaultProps: { ...noScrollLock, styles: onCard } },
  },
})
