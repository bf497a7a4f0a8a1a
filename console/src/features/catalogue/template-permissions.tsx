import { Button, Card, Checkbox, Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { Permission, PermissionCode, RoleTemplate } from '@tenantry/client'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyPart } from '../../components/lazy-part.tsx'
import { LeaveQuestion } from '../../components/leave-question.tsx'
import { SearchInput } from '../../components/search-input.tsx'
import { useMe } from '../../session/me.ts'
import { useModuleName } from '../roles/roles.texts.ts'
import type { Catalogue } from './catalogue.queries.ts'
import { changeOf, holdableOf, holds, modulesOf, type TemplateDraft } from './entries.ts'

const route = getRouteApi('/shell/catalogue/$templateId')

const ReviewTemplate = lazyPart(async () => (await import('./review-template.tsx')).ReviewTemplate)

const none: TemplateDraft = new Map()

interface TemplatePermissionsProps {
  template: RoleTemplate
  catalogue: Catalogue
  canChange: boolean
}

/** The permissions of a template, to be chosen where the caller may change it. */
export const TemplatePermissions = ({ template, catalogue, canChange }: TemplatePermissionsProps) => {
  const { t } = useTranslation()
  const { search = '' } = route.useSearch()
  const [draft, setDraft] = useState(none)
  const offered = canChange ? catalogue.permissions : template.permissions
  const modules = modulesOf(offered, search)
  const toggle = (permission: Permission, isWanted: boolean): void =>
    setDraft((before) => new Map(before).set(permission.id, isWanted))
  return (
    <>
      <Card withBorder padding="lg">
        <Group justify="space-between" mb="xs">
          <Title order={2} size="h4">
            {t('roles.permissions', { count: template.permissions.length })}
          </Title>
          <Search />
        </Group>
        {modules.size === 0 && (
          <Text size="sm" c="dimmed">
            {t(search === '' ? 'roles.permitsNothing' : 'roles.noPermission')}
          </Text>
        )}
        {[...modules].map(([module, of]) => (
          <Module key={module} module={module}>
            {of.map((permission) => (
              <Choice
                key={permission.id}
                permission={permission}
                isHeld={holds(template, permission)}
                drafted={draft.get(permission.id)}
                canChange={canChange}
                isHoldable={holdableOf(catalogue).has(permission.code)}
                onChange={(isWanted) => toggle(permission, isWanted)}
              />
            ))}
          </Module>
        ))}
      </Card>
      <DraftBar
        template={template}
        all={catalogue.permissions}
        draft={draft}
        onForget={() => setDraft(none)}
      />
    </>
  )
}

const Search = () => {
  const { t } = useTranslation()
  const { search = '' } = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <SearchInput
      label={t('roles.search')}
      value={search}
      onChange={(text) => void navigate({ search: text ? { search: text } : {}, replace: true })}
    />
  )
}

const Module = ({ module, children }: { module: string; children: ReactNode }) => {
  const name = useModuleName()(module)
  return (
    <Stack gap="xs" mt="md" role="group" aria-label={name}>
      <Text size="xs" fw={500} c="dimmed">
        {name}
      </Text>
      <SimpleGrid cols={{ base: 1, md: 2 }} verticalSpacing="xs">
        {children}
      </SimpleGrid>
    </Stack>
  )
}

interface ChoiceProps {
  permission: Permission
  isHeld: boolean
  /** The drafted value; undefined if unchanged. */
  drafted: boolean | undefined
  canChange: boolean
  /** Whether templates of the product can hold it. */
  isHoldable: boolean
  onChange: (isWanted: boolean) => void
}

const Choice = ({ permission, isHeld, drafted, canChange, isHoldable, onChange }: ChoiceProps) => {
  const { t } = useTranslation()
  const { can } = useMe()
  const { name, code } = permission
  if (!canChange) return <Plain permission={permission} />
  const isOwn = can(code as PermissionCode)
  const reason = isHoldable ? (isOwn ? undefined : t('roles.notOwn')) : t('catalogue.platformOnlyText')
  return (
    <Checkbox
      label={name}
      description={reason ? `${code} · ${reason}` : code}
      checked={drafted ?? isHeld}
      disabled={reason !== undefined}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  )
}

const Plain = ({ permission: { name, code, description } }: { permission: Permission }) => (
  <Stack gap={0} title={description}>
    <Text size="sm">{name}</Text>
    <Text size="xs" c="dimmed">
      {code}
    </Text>
  </Stack>
)

interface DraftBarProps {
  template: RoleTemplate
  all: Permission[]
  draft: TemplateDraft
  onForget: () => void
}

/** Offers to review or discard the draft, always in sight. */
const DraftBar = ({ template, all, draft, onForget }: DraftBarProps) => {
  const { t } = useTranslation()
  const [isReviewing, setReviewing] = useState(false)
  const change = changeOf(template, all, draft)
  const count = change.added.length + change.removed.length
  const close = (): void => setReviewing(false)
  return (
    <>
      <LeaveQuestion isHeld={count > 0} title={t('roles.leaveTitle')} confirm={t('roles.leave')}>
        {t('roles.drafted', { count })}
      </LeaveQuestion>
      {count > 0 && (
        <Paper withBorder shadow="md" p="sm" className="draft-bar">
          <Text size="sm" fw={500} role="status">
            {t('roles.drafted', { count })}
          </Text>
          <Group gap="xs">
            <Button variant="default" onClick={onForget}>
              {t('roles.discard')}
            </Button>
            <Button onClick={() => setReviewing(true)}>{t('roles.review')}</Button>
          </Group>
        </Paper>
      )}
      {isReviewing && (
        <ReviewTemplate template={template} change={change} onSaved={onForget} onClose={close} />
      )}
    </>
  )
}
