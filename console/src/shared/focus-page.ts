/** Gives the focus to the list of the page, or to the page where it has none. */
export function focusPage(): void {
  const list = document.querySelector<HTMLElement>('#page [role="grid"]')
  const target = list ?? document.querySelector<HTMLElement>('#page')
  target?.focus({ preventScroll: true })
}

/** The same, where what had the focus has gone from the page. */
export function keepFocus(): void {
  // A removed element has given the focus to the body by then.
  requestAnimationFrame(() => {
    if (document.activeElement === document.body) focusPage()
  })
}
