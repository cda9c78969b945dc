export const LINKS = ['http://', 'https://']

export const containsLink = (text: string) => LINKS.some((link) => text.includes(link))
