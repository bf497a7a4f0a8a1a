import { Button, Skeleton, Tabs } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from '../../translation.ts'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { ListNews, useNews } from '../../components/list-news.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { useCatalogue } from './catalogue.queries.ts'
import { PermissionTable } from './permission-table.tsx'
import { TemplateTable } from './template-table.tsx'

const route = getRouteApi('/shell/catalogue')

const CreatePermission = lazyPart(async () => (await import('./permission-dialogs.tsx')).CreatePermission)
const CreateTemplate = lazyPart(async () => (await import('./template-dialogs.tsx')).CreateTemplate)

export const CataloguePage = () => {
  const { t } = useTranslation()
  const navigate = route.useNavigate()
  const { tab = 'permissions' } = route.useSearch()
  const catalogue = useCatalogue()
  const { data, error, refetch } = catalogue
  const news = useNews(['permission', 'role_template'], catalogue)
  return (
    <>
      <PageHeader
        title={t('places.catalogue')}
        description={t('catalogue.about')}
        actions={tab === 'templates' ? <NewTemplate /> : <NewPermission />}
      />
      <Tabs
        value={tab}
        keepMounted={false}
        onChange={(chosen) => void navigate({ search: chosen === 'templates' ? { tab: chosen } : {} })}
      >
        <Tabs.List mb="md" aria-label={t('places.catalogue')}>
          <Tabs.Tab value="permissions">{t('catalogue.permissions')}</Tabs.Tab>
          <Tabs.Tab value="templates">{t('catalogue.templates')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value={tab}>
          <ListNews news={news} />
          {!data &&
            (error ? <ErrorPanel error={error} onRetry={() => void refetch()} /> : <Skeleton height={480} />)}
          {data &&
            (tab === 'templates' ? (
              <TemplateTable templates={data.templates} />
            ) : (
              <PermissionTable catalogue={data} />
            ))}
        </Tabs.Panel>
      </Tabs>
    </>
  )
}

const NewPermission = () => {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t('catalogue.createPermission')}</Button>
      {isOpen && <CreatePermission onClose={() => setOpen(false)} />}
    </>
  )
}

const NewTemplate = () => {
  const { t } = useTranslation()
  const navigate = route.useNavigate()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t('catalogue.createTemplate')}</Button>
      {isOpen && (
        <CreateTemplate
          onClose={() => setOpen(false)}
          onCreated={({ id }) =>
            navigate({
              to: '/catalogue/$templateId',
              params: { templateId: String(id) },
              search: {},
              // The form was sent, so nothing typed is lost.
              ignoreBlocker: true,
            })
          }
        />
      )}
    </>
  )
}
