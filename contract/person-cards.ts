import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { fieldProblem } from './errors.ts'
import { UserId } from './ids.ts'
import { roles } from './roles.ts'
import { seenText, storable } from './text.ts'

export const profileLimits = { fields: 12, label: 40, value: 120, timeZone: 64 } as const

/** Built-in fields, whose labels are translated. */
export const knownFields = ['title', 'pronouns', 'phone'] as const

const FieldId = z.string().check(z.regex(/^[a-z0-9-]{1,36}$/, fieldProblem('errors.notAnId')))

/** A field of people's profiles. */
export const ProfileField = z.object({
  id: FieldId,
  /** Null for a built-in field that was not renamed. */
  label: z.nullable(z.string()),
})
export type ProfileField = z.output<typeof ProfileField>

/** A person's profile beyond the directory. */
export const PersonCard = z.object({
  role: z.enum(roles),
  /** An IANA name, such as 'Europe/Berlin'. Null if unknown. */
  timeZone: z.nullable(z.string()),
  /** Whether they chose it; otherwise it follows their browser. Only in my own card. */
  choseTimeZone: z.optional(z.boolean()),
  /** In the workspace's order. Empty ones only in my own card. */
  fields: z.array(z.extend(ProfileField, { value: z.string() })),
})
export type PersonCard = z.output<typeof PersonCard>

export const getPersonCard = endpoint({
  method: 'GET',
  path: '/api/users/:userId/card',
  summary: 'What a user says of themselves: their fields and their time zone.',
  params: z.object({ userId: UserId }),
  reply: PersonCard,
})

export const updateMyCard = endpoint({
  method: 'PATCH',
  path: '/api/users/me/card',
  summary:
    'Change my fields, by their ids, and my time zone (an IANA name). `choseTimeZone` says whether I chose it; without it, the time zone stays as it is if I did.',
  body: z.object({
    values: z.optional(
      z
        .record(FieldId, seenText(profileLimits.value, 0))
        .check(
          z.refine(
            (values) => Object.keys(values).length <= profileLimits.fields,
            fieldProblem('errors.tooManyFields', { max: profileLimits.fields }),
          ),
        ),
    ),
    timeZone: z.optional(z.string().check(z.minLength(1), z.maxLength(profileLimits.timeZone), storable)),
    choseTimeZone: z.optional(z.boolean()),
  }),
  reply: PersonCard,
})

export const listProfileFields = endpoint({
  method: 'GET',
  path: '/api/workspace/profile-fields',
  summary: 'The fields of people, in their order.',
  reply: z.array(ProfileField),
})

export const setProfileFields = endpoint({
  method: 'PUT',
  path: '/api/workspace/profile-fields',
  summary:
    'Set the fields of people, in their order: those with an id stay, others are new. Values of fields that are gone are deleted. For the workspace’s owner.',
  body: z.object({
    fields: z
      .array(z.object({ id: z.optional(FieldId), label: z.nullable(seenText(profileLimits.label)) }))
      .check(z.maxLength(profileLimits.fields, fieldProblem('errors.tooManyFields', { max: profileLimits.fields }))),
  }),
  reply: z.array(ProfileField),
})
