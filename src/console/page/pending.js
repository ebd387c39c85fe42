// Reloads the page once the console is in its place.

const pollEveryMs = 2000

setInterval(async () => {
  const page = await fetch(location.href)
    .then((response) => response.text())
    .catch(() => undefined)
  if (page !== undefined && !page.includes('pending.js')) location.reload()
}, pollEveryMs)
