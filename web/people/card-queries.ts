import { queryOptions } from '@tanstack/react-query'
import { getPersonCard, type ProfileField } from '#contract/person-cards'
import { call } from '../api-client/api.ts'
import { type PlainTextId, t } from '../i18n/text.ts'

/** What a person says of themselves. */
export const personCard = (userId: string) =>
  queryOptions({
    queryKey: ['card', userId] as const,
    queryFn: () => call(getPersonCard, { params: { userId } }),
    staleTime: 0,
  })

const names: Record<string, PlainTextId> = {
  title: 'people.field.title',
  pronouns: 'people.field.pronouns',
  phone: 'people.field.phone',
}

/** What the owner called a field, or what it is called in every language. */
export function fieldName({ id, label }: ProfileField) {
  const known = names[id]
  return label ?? (known ? t(known) : id)
}
