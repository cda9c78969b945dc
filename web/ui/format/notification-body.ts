import { plainText } from './plain-text.ts'

/** What a notification says: a message as one line of plain text, and why it notifies. */
export const notificationBody = (content: string, reason?: string) =>
  [plainText(content), reason].filter(Boolean).join('\n')
