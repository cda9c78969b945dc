import { queryOptions } from '@tanstack/react-query'
import { getPersonCard, type ProfileField } from '#contract/person-cards'
import { call } from '../api-client/api.ts'
import { type PlainTextId, t } from '../i18n/text.ts'

/** A person's card, with what they say about themselves. */
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

/** A field's label as set by the owner, or its translated default name. */
export function fieldName({ id, label }: ProfileField) {
  const known = names[id]
  return label ?? (known ? t(known) : id)
}
