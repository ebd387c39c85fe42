import { type RefObject, useEffect, useState } from 'react'

/**
 * Whether the pointer is over an element. What lies under it may be removed, such as a row that is scrolled away; the element
 * is then not told that the pointer leaves, so this goes by what the pointer enters.
 */
export function usePointerWithin(element: RefObject<HTMLElement | null>): boolean {
  const [isWithin, setIsWithin] = useState(false)
  useEffect(() => {
    const page = document.documentElement
    const onOver = ({ target }: PointerEvent) =>
      setIsWithin(target instanceof Node && element.current?.contains(target) === true)
    const onLeave = () => setIsWithin(false)
    page.addEventListener('pointerover', onOver)
    page.addEventListener('pointerleave', onLeave)
    return () => {
      page.removeEventListener('pointerover', onOver)
      page.removeEventListener('pointerleave', onLeave)
    }
  }, [element])
  return isWithin
}
