import type { MouseEvent } from 'react'

/** For `onMouseDown`: a click on the element does not move the focus. */
export const keepFocus = (event: MouseEvent) => event.preventDefault()
