import { Box, Code, Group, Paper, Stack, Text } from '@mantine/core'
import type { Permission, PermissionCode, Role } from '@tenantry/client'
import {
  type FocusEvent,
  type KeyboardEvent,
  memo,
  type ReactNode,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from 'react'
import { IconCheck, IconMinus } from '@tabler/icons-react'
import { Table } from '../../components/table.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { useMe } from '../../session/me.ts'
import { useTranslation } from '../../translation.ts'
import { holds, type RoleDraft, type SetCells } from './role-draft.ts'
import { useCanChange } from './roles.queries.ts'
import { modulesOf, useModuleName } from './roles.texts.ts'
import { RoleMark } from './roles.views.tsx'

interface RoleMatrixProps {
  roles: Role[]
  permissions: Permission[]
  search: string
  draft: RoleDraft
  setCells: SetCells
}

/**
 * The rows that are drawn at first. Others are drawn when they come near: a thousand rows with ten roles would take
 * seconds.
 */
const drawnAtOnce = 200
const partSize = 40

const partsOf = (permissions: Permission[]): Permission[][] =>
  Array.from({ length: Math.ceil(permissions.length / partSize) }, (_, at) =>
    permissions.slice(at * partSize, (at + 1) * partSize),
  )

export const RoleMatrix = ({ permissions, search, ...props }: RoleMatrixProps) => {
  const { t } = useTranslation()
  const { roles } = props
  const { ref, ...keys } = useCellKeys()
  const modules = modulesOf(permissions, search)
  const isShort = permissions.length <= drawnAtOnce
  return (
    <Paper withBorder style={{ overflow: 'hidden' }}>
      <Box className="matrix" tabIndex={0} role="region" aria-label={t('places.roles')} {...keys}>
        <Table ref={ref} isPlain aria-label={t('places.roles')}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col" role="columnheader">
                {t('roles.permission')}
              </Table.Th>
              {roles.map((role) => (
                <RoleHeader key={role.id} role={role} />
              ))}
            </Table.Tr>
          </Table.Thead>
          {[...modules].map(([module, of]) =>
            partsOf(of).map((part, at) => (
              <Part key={`${module} ${at}`} rows={part.length} columns={roles.length + 1} isDrawn={isShort}>
                {() => (
                  <>
                    {at === 0 && <ModuleRow module={module} columns={roles.length + 1} />}
                    {part.map((permission) => (
                      <PermissionRow key={permission.id} permission={permission} {...props} />
                    ))}
                  </>
                )}
              </Part>
            )),
          )}
        </Table>
      </Box>
    </Paper>
  )
}

/** The matrix where it scrolls, and null for the page: on a phone, the matrix is as high as its content. */
const scrollerOf = (element: HTMLElement): Element | null => {
  const matrix = element.closest('.matrix')
  return matrix && matrix.scrollHeight > matrix.clientHeight ? matrix : null
}

/** True if the element is near the visible part of the matrix. */
const useNear = (element: RefObject<HTMLElement | null>): boolean => {
  const [isNear, setNear] = useState(false)
  useEffect(() => {
    if (!element.current || isNear) return undefined
    const watch = new IntersectionObserver(
      (entries) => setNear(entries.some(({ isIntersecting }) => isIntersecting)),
      { root: scrollerOf(element.current), rootMargin: '800px 0px' },
    )
    watch.observe(element.current)
    return () => watch.disconnect()
  }, [element, isNear])
  return isNear
}

interface PartProps {
  rows: number
  columns: number
  isDrawn: boolean
  children: () => ReactNode
}

/** Reserves the height of rows that are not drawn yet. */
const Part = ({ rows, columns, isDrawn, children }: PartProps) => {
  const body = useRef<HTMLTableSectionElement>(null)
  const isNear = useNear(body)
  return (
    <Table.Tbody ref={body}>
      {isDrawn || isNear ? (
        children()
      ) : (
        <Table.Tr>
          <Table.Td colSpan={columns} h={`${rows * 2.3}rem`} />
        </Table.Tr>
      )}
    </Table.Tbody>
  )
}

const ModuleRow = ({ module, columns }: { module: string; columns: number }) => {
  const nameOfModule = useModuleName()
  return (
    <Table.Tr className="group-row">
      <Table.Th colSpan={columns} scope="rowgroup" role="rowheader">
        <span>{nameOfModule(module)}</span>
      </Table.Th>
    </Table.Tr>
  )
}

const RoleHeader = ({ role }: { role: Role }) => {
  const { t } = useTranslation()
  const canChange = useCanChange()(role)
  return (
    <Table.Th scope="col" role="columnheader">
      <Stack gap={2} align="center">
        <TextLink
          to="/roles/$roleId"
          params={{ roleId: String(role.id) }}
          size="sm"
          fw={500}
          lineClamp={2}
          title={role.name}
        >
          {role.name}
        </TextLink>
        <RoleMark role={role} canChange={canChange} />
        <Text size="xs" c="dimmed" className="numbers" fw={400}>
          {t('roles.permissions', { count: role.permissions.length })}
        </Text>
      </Stack>
    </Table.Th>
  )
}

interface PermissionRowProps extends Pick<RoleMatrixProps, 'roles' | 'draft' | 'setCells'> {
  permission: Permission
}

const PermissionRow = ({ permission, roles, draft, setCells }: PermissionRowProps) => {
  const { can } = useMe()
  const canChange = useCanChange()
  return (
    <Table.Tr>
      <Table.Th scope="row" role="rowheader">
        <PermissionName permission={permission} />
      </Table.Th>
      {roles.map((role) => (
        <Table.Td key={role.id}>
          <PermissionCell
            role={role}
            permission={permission}
            drafted={draft.get(role.id)?.get(permission.id)}
            canChange={can('role:update') && canChange(role)}
            isOwn={can(permission.code as PermissionCode)}
            onChange={setCells}
          />
        </Table.Td>
      ))}
    </Table.Tr>
  )
}

const PermissionName = ({ permission: { code, name, description } }: { permission: Permission }) => (
  <Group gap={2} style={{ columnGap: 'var(--mantine-spacing-xs)' }} title={description}>
    <Text size="sm" fw={400}>
      {name}
    </Text>
    <Code className="whole">{code}</Code>
  </Group>
)

const directions: Partial<Record<string, readonly [number, number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
}

/** The next checkbox in a direction. Skips disabled checkboxes, and rows between modules. */
const neighbour = (from: HTMLElement, [down, right]: readonly [number, number]): HTMLElement | undefined => {
  const cell = from.closest('td')
  const row = cell?.closest('tr')
  if (!cell || !row) return undefined
  const rows = [...(row.closest('table')?.rows ?? [])]
  const line = right === 0 ? rows.map(({ cells }) => cells[cell.cellIndex]) : [...row.cells]
  const at = line.indexOf(cell)
  const ahead = down + right > 0 ? line.slice(at + 1) : line.slice(0, at).toReversed()
  const boxes = ahead.map((one) => one?.querySelector<HTMLInputElement>('input:enabled'))
  return boxes.find((box) => box instanceof HTMLInputElement)
}

/**
 * Arrow keys move between the checkboxes of a table. The Tab key leaves the table, because it can have hundreds of
 * checkboxes. Only the DOM stores the checkbox that Tab enters, so that a move renders nothing.
 */
const useCellKeys = () => {
  const table = useRef<HTMLTableElement>(null)
  useEffect(() => {
    if (table.current?.querySelector('input[tabindex="0"]:enabled')) return
    table.current?.querySelector('input:enabled')?.setAttribute('tabindex', '0')
  })
  const onFocus = ({ target }: FocusEvent<HTMLElement>): void => {
    if (!(target instanceof HTMLInputElement)) return
    table.current?.querySelector('input[tabindex="0"]')?.setAttribute('tabindex', '-1')
    target.setAttribute('tabindex', '0')
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const direction = directions[event.key]
    if (!direction || !(event.target instanceof HTMLInputElement)) return
    event.preventDefault()
    neighbour(event.target, direction)?.focus()
  }
  return { ref: table, onFocus, onKeyDown }
}

interface PermissionCellProps {
  role: Role
  permission: Permission
  /** The drafted state; undefined if unchanged. */
  drafted: boolean | undefined
  canChange: boolean
  /** True if the caller has the permission. Callers grant only permissions that they have. */
  isOwn: boolean
  onChange: SetCells
}

/**
 * A native checkbox, because a matrix of 50 roles has over a thousand. Tab skips it: the arrow keys move between
 * cells (`useCellKeys`).
 */
const PermissionCell = memo((props: PermissionCellProps) => {
  const { t } = useTranslation()
  const { role, permission, drafted, canChange, isOwn, onChange } = props
  const isHeld = holds(role, permission)
  if (!canChange) return <FixedCell role={role} isHeld={isHeld} />
  const label = t('roles.cell', { permission: permission.name, role: role.name })
  return (
    <label
      className="permission-cell"
      data-role={role.name}
      data-drafted={drafted}
      title={isOwn ? undefined : t('roles.notOwn')}
    >
      <input
        type="checkbox"
        checked={drafted ?? isHeld}
        disabled={!isOwn}
        tabIndex={-1}
        aria-label={isOwn ? label : `${label}: ${t('roles.notOwn')}`}
        onChange={({ currentTarget }) => onChange(role, [permission], currentTarget.checked)}
      />
    </label>
  )
})

const FixedCell = ({ role, isHeld }: { role: Role; isHeld: boolean }) => {
  const { t } = useTranslation()
  return (
    <span className="fixed-cell" data-role={role.name}>
      {isHeld ? (
        <IconCheck size={16} role="img" aria-label={t('roles.permits')} />
      ) : (
        <IconMinus size={12} role="img" aria-label={t('roles.permitsNot')} className="faint" />
      )}
    </span>
  )
}
