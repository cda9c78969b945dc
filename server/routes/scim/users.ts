import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { withDeadline } from '../../http/deadline.ts'
import type { Attributes } from '../../scim/attributes.ts'
import { listOf, readPage, select } from '../../scim/list.ts'
import { patchUser, readChanges } from '../../scim/patch.ts'
import {
  createPerson,
  deletePerson,
  findPeople,
  type PersonRow,
  readPersonRow,
  replacePerson,
} from '../../scim/provided-people.ts'
import { userResource } from '../../scim/resources.ts'
import { ScimError } from '../../scim/scim-error.ts'
import { readUserInput } from '../../scim/user-input.ts'
import { baseOf } from './base.ts'

type OfOne = { Params: { id: string }; Querystring: Attributes }

/** People as SCIM users. */
export default async function users(app: FastifyInstance) {
  const { db } = app
  const show = (request: FastifyRequest, person: PersonRow) =>
    select(userResource(baseOf(request), person), request.query as Attributes)

  app.get<{ Querystring: Attributes }>('/Users', async (request) => {
    const { filter } = request.query
    if (filter !== undefined && typeof filter !== 'string')
      throw new ScimError(400, 'One filter is expected.', 'invalidFilter')
    const page = readPage(request.query)
    const { total, people } = await withDeadline(findPeople(db, filter, page))
    return listOf(
      people.map((person) => show(request, person)),
      total,
      page,
    )
  })

  app.post('/Users', async (request, reply) => {
    const person = await withDeadline(createPerson(app, request.directory, readUserInput(request.body)))
    return sendCreated(reply, `${baseOf(request)}/Users/${person.id}`, show(request, person))
  })

  app.get<OfOne>('/Users/:id', async (request) =>
    show(request, await withDeadline(readPersonRow(db, request.params.id))),
  )

  app.put<OfOne>('/Users/:id', async (request) => {
    const input = readUserInput(request.body)
    return show(request, await withDeadline(replacePerson(app, request.directory, request.params.id, () => input)))
  })

  app.patch<OfOne>('/Users/:id', async (request) => {
    const changes = readChanges(request.body)
    const read = (person: PersonRow) => readUserInput(patchUser(userResource('', person), changes))
    return show(request, await withDeadline(replacePerson(app, request.directory, request.params.id, read)))
  })

  app.delete<OfOne>('/Users/:id', async (request, reply) => {
    await withDeadline(deletePerson(app, request.directory, request.params.id))
    return reply.status(204).send()
  })
}

const sendCreated = (reply: FastifyReply, location: string, body: Attributes) =>
  reply.status(201).header('location', location).send(body)
