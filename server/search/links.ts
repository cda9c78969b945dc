/** What makes a text one with a link in it. */
export const LINKS = ['http://', 'https://']

export const containsLink = (text: string) => LINKS.some((link) => text.includes(link))
