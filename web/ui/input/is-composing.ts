/**
 * Whether a key belongs to an input method that is composing. Safari reports the Enter that ends a composition after its
 * end, recognizable only by key code 229.
 */
export const isComposing = (event: KeyboardEvent) => event.isComposing || event.keyCode === 229
