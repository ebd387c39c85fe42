/** Gives the focus to the list of the page, or to the page where it has none. */
export function focusPage(): void {
  const list = document.querySelector<HTMLElement>('#page [role="grid"]')
  const target = list ?? document.querySelector<HTMLElement>('#page')
  target?.focus({ preventScroll: true })
}

/** The same, where nothing has the focus. */
export function keepFocus(): void {
  // A removed element has given the focus to the body by then.
  requestAnimationFrame(() => {
    if (document.activeElement === document.body) focusPage()
  })
}

/** Gives the focus back to what had it before a dialog, once it can have it again; to the page where that is gone. */
export function returnFocus(element: Element | null): void {
  requestAnimationFrame(() => {
    if (element instanceof HTMLElement && element.isConnected) element.focus()
    else focusPage()
  })
}

/** Time in which a dialog that closes gives the focus back to what had it before. */
const dialogMs = 50

/** Keeps the focus on the page while its elements come and go: a page, a form, or a button that was pressed. */
export function watchFocus(): void {
  let focused: EventTarget | null = document.activeElement
  const changes = new MutationObserver(() => {
    if (!(focused instanceof HTMLElement)) return
    if (!focused.isConnected) {
      const wasInDialog = focused.closest('[role="dialog"]') !== null
      focused = null
      if (wasInDialog) setTimeout(keepFocus, dialogMs)
      else keepFocus()
    } else if (document.activeElement === document.body && canHaveFocus(focused)) {
      // It was disabled for a while, such as a button whose request was refused.
      focused.focus({ preventScroll: true })
    }
  })
  changes.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] })
  document.addEventListener('focusin', ({ target }) => (focused = target))
  // Before others change the page at the same event.
  const onBlur = ({ target }: FocusEvent) =>
    // Some browsers say it too of an element that is being removed, or disabled before that.
    queueMicrotask(() => {
      if (focused === target && canHaveFocus(target)) focused = null
    })
  document.addEventListener('focusout', onBlur, true)
}

function canHaveFocus(target: EventTarget | null): boolean {
  return target instanceof Element && target.isConnected && !target.matches(':disabled')
}
