/**
 * Whether a key belongs to the input method that composes. Some browsers say so only by key code 229, as Safari does of
 * the Enter that ends a composition, which it tells of after the end.
 */
export const isComposing = (event: KeyboardEvent) => event.isComposing || event.keyCode === 229
