import { expect, it } from 'vitest'
import * as z from 'zod/mini'
import { type CompiledSchema, compileSchema } from './compiled-schema.ts'

const Person = z.object({
  name: z.string().check(z.minLength(1)),
  nickname: z.optional(z.string()),
  age: z.pipe(z.string(), z.coerce.number()),
})
const Team = z.object({ people: z.array(Person), lead: z.nullable(Person), revs: z.record(z.string(), z.int()) })

const kindsOf = (schema: z.core.$ZodType) => schema._zod.traits

it('compiles objects, including those inside objects and arrays', () => {
  const team = compileSchema(Team)
  expect(kindsOf(team)).toContain('$ZodObjectJIT')
  const { shape } = team._zod.def as unknown as { shape: { people: z.core.$ZodArray } }
  expect(kindsOf(shape.people._zod.def.element)).toContain('$ZodObjectJIT')
  expect(kindsOf(Team)).not.toContain('$ZodObjectJIT')
})

const ada = { name: 'Ada', age: '36' }
it.each([
  ['all there', { people: [ada], lead: ada, revs: { a: 1 } }],
  ['unknown fields', { people: [{ ...ada, secret: 1 }], lead: { ...ada, secret: 1 }, revs: {}, secret: 1 }],
  ['an optional field', { people: [{ ...ada, nickname: 'A' }], lead: null, revs: {} }],
  ['a missing field', { people: [{ name: 'Ada' }], lead: null }],
  ['a failed check', { people: [ada, { ...ada, name: '' }], lead: ada, revs: {} }],
  ['the wrong type', { people: 'nobody', lead: [], revs: { a: 1.5 } }],
  ['a prototype', { people: [], lead: null, revs: {}, __proto__: { people: 1 } }],
  ['nothing', undefined],
])('a compiled schema gives the same result as the original: %s', (_, value) => {
  const result = (schema: CompiledSchema<typeof Team>) => {
    const { success, data, error } = z.safeParse(schema, value)
    return { success, data, issues: error?.issues }
  }
  expect(result(compileSchema(Team))).toEqual(result(Team))
})
