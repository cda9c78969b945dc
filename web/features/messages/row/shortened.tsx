import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'

/** The greatest height, and how the end of what is cut fades. */
const sizes = {
  m: {
    height: 'not-focus-within:max-h-40 not-focus-within:overflow-clip',
    fade: 'not-focus-within:[mask-image:linear-gradient(#000_7rem,transparent_10rem)]',
  },
  l: {
    height: 'not-focus-within:max-h-80 not-focus-within:overflow-clip',
    fade: 'not-focus-within:[mask-image:linear-gradient(#000_17rem,transparent_20rem)]',
  },
}

/** The beginning of a long text. All of it while something in it has the focus. */
export function Shortened({ size, children }: { size: keyof typeof sizes; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  const [isCut, setCut] = useState(false)
  useLayoutEffect(() => {
    const element = box.current as HTMLElement
    const measure = () => setCut(element.scrollHeight > element.clientHeight + 1)
    const observer = new ResizeObserver(measure)
    // The box itself stops growing at its maximum.
    for (const part of [element, ...element.children]) observer.observe(part)
    return () => observer.disconnect()
  }, [])
  const { height, fade } = sizes[size]
  return (
    <div ref={box} className={`text-ui ${height} ${isCut ? fade : ''}`}>
      {children}
    </div>
  )
}
