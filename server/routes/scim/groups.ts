import type { FastifyInstance, FastifyRequest } from 'fastify'
import { withDeadline } from '../../http/deadline.ts'
import type { Attributes } from '../../scim/attributes.ts'
import { patchGroup, readGroupInput } from '../../scim/group-input.ts'
import { leavesOut, listOf, readPage, select } from '../../scim/list.ts'
import { readChanges } from '../../scim/patch.ts'
import {
  createGroup,
  deleteGroup,
  findGroups,
  readGroupRow,
  readMembers,
  replaceGroup,
} from '../../scim/provided-groups.ts'
import { groupResource } from '../../scim/resources.ts'
import { ScimError } from '../../scim/scim-error.ts'
import { baseOf } from './base.ts'

type OfOne = { Params: { id: string }; Querystring: Attributes }

/** Groups as SCIM groups, whose members are people. */
export default async function groups(app: FastifyInstance) {
  const { db } = app
  const hasMembers = ({ query }: FastifyRequest) => !leavesOut(query as Attributes, 'members')

  async function show(request: FastifyRequest, id: string) {
    const group = await readGroupRow(db, id)
    const members = hasMembers(request) ? await readMembers(db, id) : undefined
    return select(groupResource(baseOf(request), group, members), request.query as Attributes)
  }

  app.get<{ Querystring: Attributes }>('/Groups', async (request) => {
    const { filter } = request.query
    if (filter !== undefined && typeof filter !== 'string')
      throw new ScimError(400, 'One filter is expected.', 'invalidFilter')
    const page = readPage(request.query)
    const { total, groups } = await withDeadline(findGroups(db, filter, page, hasMembers(request)))
    const shown = groups.map(({ group, members }) =>
      select(groupResource(baseOf(request), group, members), request.query),
    )
    return listOf(shown, total, page)
  })

  app.post('/Groups', async (request, reply) => {
    const id = await withDeadline(createGroup(app, request.directory, readGroupInput(request.body)))
    return reply
      .status(201)
      .header('location', `${baseOf(request)}/Groups/${id}`)
      .send(await withDeadline(show(request, id)))
  })

  app.get<OfOne>('/Groups/:id', (request) => withDeadline(show(request, request.params.id)))

  app.put<OfOne>('/Groups/:id', async (request) => {
    const input = readGroupInput(request.body)
    await withDeadline(replaceGroup(app, request.directory, request.params.id, async () => input))
    return withDeadline(show(request, request.params.id))
  })

  app.patch<OfOne>('/Groups/:id', async (request, reply) => {
    const changes = readChanges(request.body)
    await withDeadline(
      replaceGroup(app, request.directory, request.params.id, async ({ displayName, externalId }, members) =>
        patchGroup({ displayName, externalId: externalId ?? undefined, members: await members() }, changes),
      ),
    )
    // A group may have thousands of members, so send it only if requested (RFC 7644, 3.5.2).
    if (request.query['attributes'] === undefined) return reply.status(204).send()
    return withDeadline(show(request, request.params.id))
  })

  app.delete<OfOne>('/Groups/:id', async (request, reply) => {
    await withDeadline(deleteGroup(app, request.directory, request.params.id))
    return reply.status(204).send()
  })
}
