// Runs in the page. Texts whose contrast with what is behind them is below 4.5 (WCAG 2.2, AA),
// or below 3 where the text is large.
;(() => {
  const canvas = Object.assign(document.createElement('canvas'), { width: 1, height: 1 })
  const context = canvas.getContext('2d', { willReadFrequently: true })

  const known = new Map()

  function rgba(color) {
    if (!known.has(color)) known.set(color, draw(color))
    return known.get(color)
  }

  function draw(color) {
    context.clearRect(0, 0, 1, 1)
    context.fillStyle = color
    context.fillRect(0, 0, 1, 1)
    const [red, green, blue, alpha] = context.getImageData(0, 0, 1, 1).data
    return { channels: [red, green, blue], alpha: alpha / 255 }
  }

  function over(top, bottom) {
    return top.channels.map((value, i) => value * top.alpha + bottom[i] * (1 - top.alpha))
  }

  function backgroundOf(element) {
    if (!element) return rgba('Canvas').channels
    const own = rgba(getComputedStyle(element).backgroundColor)
    return own.alpha === 1 ? own.channels : over(own, backgroundOf(element.parentElement))
  }

  function luminance(channels) {
    const [red, green, blue] = channels
      .map((value) => value / 255)
      .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }

  function opacityOf(element) {
    return element
      ? Number(getComputedStyle(element).opacity) * opacityOf(element.parentElement)
      : 1
  }

  const found = new Set()
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const text = texts.currentNode.data.trim()
    const element = texts.currentNode.parentElement
    const isSeen = element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    if (!text || !isSeen || element.matches('script, style, noscript, option')) continue

    const style = getComputedStyle(element)
    const background = backgroundOf(element)
    const ink = rgba(style.color)
    const color = over({ ...ink, alpha: ink.alpha * opacityOf(element) }, background)
    const [light, dark] = [luminance(color), luminance(background)].sort((a, b) => b - a)
    const contrast = (light + 0.05) / (dark + 0.05)

    const size = Number.parseFloat(style.fontSize)
    const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700)
    if (contrast < (isLarge ? 3 : 4.5)) {
      found.add(
        `${contrast.toFixed(2)} <${element.localName} class="${element.className}"> ${text}`,
      )
    }
  }
  return [...found]
})()
