import { Alert, Button, Card, EmptyState, Group, Skeleton, Stack, Switch } from '@mantine/core'
import { IconListSearch } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import type { RoleTemplate } from '@tenantry/client'
import { useState } from 'react'
import { useTranslation } from '../../translation.ts'
import { BackLink } from '../../components/back-link.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { useLacking } from '../roles/roles.queries.ts'
import { useCatalogue, type Catalogue } from './catalogue.queries.ts'
import { TemplatePermissions } from './template-permissions.tsx'
import { TemplateMarks } from './template-table.tsx'

const route = getRouteApi('/shell/catalogue/$templateId')

const loadDialogs = () => import('./template-dialogs.tsx')
const EditTemplate = lazyPart(async () => (await loadDialogs()).EditTemplate)
const DeleteTemplate = lazyPart(async () => (await loadDialogs()).DeleteTemplate)
const GiveToNewUsers = lazyPart(async () => (await loadDialogs()).GiveToNewUsers)

export const TemplatePage = () => {
  const { t } = useTranslation()
  const { data, error, refetch } = useCatalogue()
  return (
    <>
      <BackLink to="/catalogue" search={{ tab: 'templates' }}>
        {t('catalogue.templates')}
      </BackLink>
      {data ? (
        <FoundTemplate catalogue={data} />
      ) : error ? (
        <ErrorPanel error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton height={320} />
      )}
    </>
  )
}

const FoundTemplate = ({ catalogue }: { catalogue: Catalogue }) => {
  const { t } = useTranslation()
  const id = Number(route.useParams().templateId)
  const template = catalogue.templates.find((one) => one.id === id)
  if (template) return <TemplateDetails template={template} catalogue={catalogue} />
  return (
    <EmptyState
      py="xl"
      icon={<IconListSearch size={32} stroke={1.5} />}
      title={t('errors.templateUnknown')}
    />
  )
}

const TemplateDetails = ({ template, catalogue }: { template: RoleTemplate; catalogue: Catalogue }) => {
  const { t } = useTranslation()
  const lacking = useLacking()([template])
  const canChange = !template.is_builtin && lacking.length === 0
  return (
    <>
      <PageHeader
        title={template.name}
        description={template.description}
        marks={<TemplateMarks template={template} />}
        actions={canChange && <TemplateActions template={template} />}
      />
      <Stack>
        {!template.is_builtin && lacking.length > 0 && (
          <Alert color="yellow" title={t('catalogue.outranks')}>
            {lacking.join(', ')}
          </Alert>
        )}
        {!template.is_builtin && <NewUsers template={template} canChange={canChange} />}
        <TemplatePermissions template={template} catalogue={catalogue} canChange={canChange} />
      </Stack>
    </>
  )
}

const TemplateActions = ({ template }: { template: RoleTemplate }) => {
  const { t } = useTranslation()
  const navigate = route.useNavigate()
  const [asked, setAsked] = useState<'edit' | 'delete'>()
  const close = (): void => setAsked(undefined)
  return (
    <Group gap="xs">
      <Button variant="default" onClick={() => setAsked('edit')}>
        {t('catalogue.edit')}
      </Button>
      <Button variant="light" color="red" onClick={() => setAsked('delete')}>
        {t('catalogue.delete')}
      </Button>
      {asked === 'edit' && <EditTemplate template={template} onClose={close} />}
      {asked === 'delete' && (
        <DeleteTemplate
          template={template}
          onClose={close}
          onDeleted={() => navigate({ to: '/catalogue', search: { tab: 'templates' }, ignoreBlocker: true })}
        />
      )}
    </Group>
  )
}

const NewUsers = ({ template, canChange }: { template: RoleTemplate; canChange: boolean }) => {
  const { t } = useTranslation()
  const [isAsked, setAsked] = useState(false)
  return (
    <Card withBorder padding="lg">
      <Switch
        label={t('catalogue.given')}
        description={t('catalogue.givenText')}
        checked={template.given_to_new_users}
        disabled={!canChange}
        onChange={() => setAsked(true)}
      />
      {isAsked && <GiveToNewUsers template={template} onClose={() => setAsked(false)} />}
    </Card>
  )
}
