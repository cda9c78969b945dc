import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { useEffect } from 'react'
import { can } from '#contract/can'
import { isDecidable } from '#contract/permission-table'
import { type Permission, permissions } from '#contract/permissions'
import { type Role, roles } from '#contract/roles'
import { explainFailure } from '../../api-client/failure-text.ts'
import { type PlainTextId, t } from '../../i18n/text.ts'
import { useMe } from '../../me.tsx'
import { permissionName } from '../../people/permission-names.ts'
import { LoadError } from '../../ui/feedback/load-error.tsx'
import { SkeletonRows } from '../../ui/list/skeleton-rows.tsx'
import { permissionChange, permissionTable, showChange } from './permission-queries.ts'

const roleNames: Record<Role, PlainTextId> = {
  owner: 'identity.accounts.owner',
  admin: 'identity.accounts.admin',
  member: 'audit.roleMember',
  guest: 'identity.accounts.guest',
}

/** Which roles may do what; the owner changes it with a click. */
export function PermissionTable() {
  const me = useMe()
  const client = useQueryClient()
  const { data: table, error, refetch } = useQuery(permissionTable)
  const change = useMutation(permissionChange(client))
  useEffect(() => {
    if (error) console.error('Failed to load permissions:', error)
  }, [error])
  if (!table && error) return <LoadError text={t('permissions.loadFailed')} retry={() => void refetch()} />
  if (!table) return <SkeletonRows />

  function toggle(permission: Permission, role: Role) {
    if (!table) return
    const before = table[permission]
    const given = before.includes(role) ? before.filter((it) => it !== role) : [...before, role]
    showChange(client, { permission, given })
    change.mutate({ permission, given })
  }

  return (
    <>
      {change.error && (
        <p role="alert" className="mb-2 text-danger text-ui">
          {explainFailure(t('permissions.changeFailed'), change.error)}
        </p>
      )}
      <div className="max-wide:-mx-4">
        <table className="w-full table-fixed border-collapse text-ui">
          <thead>
            <tr className="border-line-strong border-b text-meta text-soft">
              <th scope="col" className="w-2/5 px-2 py-2 text-start font-[550]">
                <span className="sr-only">{t('permissions.title')}</span>
              </th>
              {roles.map((role) => (
                <th key={role} scope="col" className="px-1 py-2 text-center font-[550] [overflow-wrap:anywhere]">
                  {t(roleNames[role])}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {permissions.map((permission) => (
              <tr key={permission} className="border-line border-b">
                <th scope="row" className="px-2 py-2 text-start font-[450] text-pretty">
                  {permissionName(permission)}
                </th>
                {roles.map((role) => (
                  <td key={role} className="p-0 text-center">
                    <Cell
                      label={`${permissionName(permission)}: ${t(roleNames[role])}`}
                      isAllowed={table[permission].includes(role)}
                      isFixed={!can.setPermissions(me) || !isDecidable(permission, role)}
                      onToggle={() => toggle(permission, role)}
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

interface CellProps {
  label: string
  isAllowed: boolean
  /** Whether I cannot change it. */
  isFixed: boolean
  onToggle: () => void
}

/** A checkbox as large as the cell, or a mark if it cannot be changed. */
function Cell({ label, isAllowed, isFixed, onToggle }: CellProps) {
  if (isFixed)
    return (
      <span className="grid min-h-10 place-items-center text-faint">
        {isAllowed ? <Check size={16} aria-label={t('permissions.yes')} /> : <span>{t('permissions.no')}</span>}
      </span>
    )
  return (
    <label className="grid min-h-10 place-items-center hover:bg-hover pointer-coarse:min-h-11">
      <span className="relative grid size-[18px] place-items-center">
        <input
          type="checkbox"
          aria-label={label}
          className="peer size-full appearance-none rounded-[5px] border border-line-control bg-paper checked:border-pine checked:bg-pine"
          checked={isAllowed}
          onChange={onToggle}
        />
        <Check
          size={13}
          strokeWidth={2.5}
          className="pointer-events-none absolute hidden text-on-pine peer-checked:block"
        />
      </span>
    </label>
  )
}
