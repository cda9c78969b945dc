/** A pattern for `like` that matches text containing `text`, in which `%` and `_` are literal. */
export const containsPattern = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`
