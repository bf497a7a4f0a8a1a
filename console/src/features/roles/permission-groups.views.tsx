import { Code, EmptyState, Group, Stack, Text, UnstyledButton } from '@mantine/core'
import { IconChevronDown, IconChevronRight, IconListSearch } from '@tabler/icons-react'
import type { Permission } from '@tenantry/client'
import { type ReactNode, useState } from 'react'
import { useTranslation } from '../../translation.ts'
import { modulesOf, useModuleName } from './roles.texts.ts'

interface Choosing {
  /** The drafted state; undefined if unchanged. */
  draftedOf: (permission: Permission) => boolean | undefined
  /** The reason why the caller cannot choose the permission; undefined if there is none. */
  reasonOf: (permission: Permission) => string | undefined
  onChoose: (permissions: Permission[], isWanted: boolean) => void
}

interface PermissionGroupsProps {
  permissions: Permission[]
  search: string
  isHeld: (permission: Permission) => boolean
  /** Absent if the permissions are not editable. */
  choosing?: Choosing | undefined
}

/** The most permissions for which all groups are open. */
const shownAtOnce = 200

export const PermissionGroups = ({ permissions, search, isHeld, choosing }: PermissionGroupsProps) => {
  const { t } = useTranslation()
  const modules = [...modulesOf(permissions, search)]
  const held = permissions.filter(isHeld)
  const isOpenAtFirst = (of: Permission[]): boolean =>
    search !== '' ||
    permissions.length <= shownAtOnce ||
    (held.length <= shownAtOnce && of.some((one) => isHeld(one)))
  if (modules.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t(search === '' ? 'roles.permitsNothing' : 'roles.noPermission')}
      </Text>
    )
  }
  return (
    // The key closes and opens the groups anew when a search begins or ends.
    <Stack gap="sm" key={String(search === '')}>
      {choosing && <Reasons permissions={permissions} choosing={choosing} />}
      {modules.map(([module, of]) => (
        <PermissionGroup
          key={module}
          module={module}
          permissions={of}
          isHeld={isHeld}
          isOpenAtFirst={isOpenAtFirst(of)}
          choosing={choosing}
        />
      ))}
    </Stack>
  )
}

/** Explains once why permissions are disabled. */
const Reasons = ({ permissions, choosing }: { permissions: Permission[]; choosing: Choosing }) => {
  const { t } = useTranslation()
  const reasons = new Set(permissions.flatMap((one) => choosing.reasonOf(one) ?? []))
  if (reasons.size === 0) return null
  return (
    <Text size="sm" c="dimmed">
      {t('roles.grey', { reasons: [...reasons].join(' · ') })}
    </Text>
  )
}

interface PermissionGroupProps extends Pick<PermissionGroupsProps, 'permissions' | 'isHeld' | 'choosing'> {
  module: string
  isOpenAtFirst: boolean
}

const PermissionGroup = ({ module, isOpenAtFirst, ...props }: PermissionGroupProps) => {
  const { permissions, isHeld, choosing } = props
  const name = useModuleName()(module)
  const [isOpen, setOpen] = useState(isOpenAtFirst)
  const isWanted = (one: Permission): boolean => choosing?.draftedOf(one) ?? isHeld(one)
  const wanted = permissions.filter(isWanted).length
  return (
    <section aria-label={name}>
      <Group justify="space-between" wrap="nowrap" className="permission-group">
        <GroupName isOpen={isOpen} onToggle={() => setOpen(!isOpen)}>
          {name}
          {choosing && <Chosen chosen={wanted} of={permissions.length} />}
        </GroupName>
        {choosing && permissions.length > 1 && (
          <WholeGroup name={name} permissions={permissions} wanted={wanted} choosing={choosing} />
        )}
      </Group>
      {isOpen && (
        <div className="permission-choices">
          {permissions.map((permission) =>
            choosing ? (
              <Choice
                key={permission.id}
                permission={permission}
                isWanted={isWanted(permission)}
                choosing={choosing}
              />
            ) : (
              <div key={permission.id} className="permission-choice" title={permission.description}>
                <PermissionName permission={permission} />
              </div>
            ),
          )}
        </div>
      )}
    </section>
  )
}

interface GroupNameProps {
  isOpen: boolean
  onToggle: () => void
  children: ReactNode
}

/** The button that opens and folds a group. */
export const GroupName = ({ isOpen, onToggle, children }: GroupNameProps) => {
  const Arrow = isOpen ? IconChevronDown : IconChevronRight
  return (
    <UnstyledButton aria-expanded={isOpen} onClick={onToggle} fz="sm" fw={500} flex={1}>
      <Group gap="xs" wrap="nowrap">
        <Arrow size={16} style={{ flex: 'none' }} />
        {children}
      </Group>
    </UnstyledButton>
  )
}

const Chosen = ({ chosen, of }: { chosen: number; of: number }) => {
  const { t } = useTranslation()
  return (
    <Text span size="xs" c="dimmed" fw={400} className="numbers">
      {t('roles.chosen', { chosen, count: of })}
    </Text>
  )
}

interface WholeGroupProps {
  name: string
  permissions: Permission[]
  wanted: number
  choosing: Choosing
}

/** Selects or drops all permissions of a group that the caller can choose. */
const WholeGroup = ({ name, permissions, wanted, choosing }: WholeGroupProps) => {
  const { t } = useTranslation()
  const free = permissions.filter((one) => choosing.reasonOf(one) === undefined)
  return (
    <label className="permission-all">
      {t('roles.wholeGroup')}
      <input
        type="checkbox"
        aria-label={t('roles.wholeGroupOf', { group: name })}
        checked={wanted === permissions.length}
        disabled={free.length === 0}
        ref={(box) => {
          if (box) box.indeterminate = wanted > 0 && wanted < permissions.length
        }}
        onChange={({ currentTarget }) => choosing.onChoose(free, currentTarget.checked)}
      />
    </label>
  )
}

interface ChoiceProps {
  permission: Permission
  isWanted: boolean
  choosing: Choosing
}

/** A native checkbox, because there may be a thousand. */
const Choice = ({ permission, isWanted, choosing }: ChoiceProps) => {
  const reason = choosing.reasonOf(permission)
  return (
    <label
      className="permission-choice"
      data-drafted={choosing.draftedOf(permission)}
      title={reason ?? permission.description}
    >
      <input
        type="checkbox"
        title={reason}
        checked={isWanted}
        disabled={reason !== undefined}
        onChange={({ currentTarget }) => choosing.onChoose([permission], currentTarget.checked)}
      />
      <PermissionName permission={permission} />
    </label>
  )
}

const PermissionName = ({ permission: { name, code } }: { permission: Permission }) => (
  <span>
    {name} <Code className="whole">{code}</Code>
  </span>
)

/** Replaces a list of permissions of which none matches the search. */
export const NoPermissionFound = () => {
  const { t } = useTranslation()
  return (
    <EmptyState
      py="xl"
      icon={<IconListSearch size={32} stroke={1.5} />}
      title={t('roles.noPermission')}
      description={t('roles.noPermissionText')}
    />
  )
}
