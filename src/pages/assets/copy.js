// Copy buttons. They are added by script, so a page without scripts shows none.

const shownMs = 2000

const announcement = document.createElement('p')
announcement.className = 'only-heard'
announcement.setAttribute('role', 'status')
document.body.append(announcement)

/** Adds a button in front of the text of a box. It stands beside the text, or above it, and never covers it. */
export function addCopyButton(box, textOf) {
  // A browser has no clipboard for a page that came without HTTPS from another machine.
  if (!navigator.clipboard) return
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = 'Copy'
  let timer
  button.addEventListener('click', async () => {
    const outcome = await navigator.clipboard.writeText(textOf()).then(
      () => 'Copied',
      () => 'Not copied',
    )
    button.textContent = outcome
    announcement.textContent = outcome
    clearTimeout(timer)
    timer = setTimeout(() => {
      button.textContent = 'Copy'
      announcement.textContent = ''
    }, shownMs)
  })
  box.prepend(button)
}

/** Adds a button to each box that matches. */
export function addCopyButtons(selector) {
  for (const box of document.querySelectorAll(selector)) {
    addCopyButton(box, () => box.querySelector('pre').textContent)
  }
}
