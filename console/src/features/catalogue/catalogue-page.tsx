import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from '../../translation.ts'
import { lazyPart } from '../../components/lazy-part.tsx'
import { ListNews, useNews } from '../../components/list-news.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { useCatalogue } from './catalogue.queries.ts'
import { PermissionTable } from './permission-table.tsx'
import { TemplateTable } from './template-table.tsx'
import { DialogButton } from '../../components/dialog-button.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { PageTabs } from '../../components/page-tabs.tsx'

const route = getRouteApi('/shell/catalogue')

const CreatePermission = lazyPart(async () => (await import('./catalogue-dialogs.tsx')).CreatePermission)
const CreateTemplate = lazyPart(async () => (await import('./catalogue-dialogs.tsx')).CreateTemplate)

export const CataloguePage = () => {
  const { t } = useTranslation()
  const navigate = route.useNavigate()
  const { tab = 'permissions' } = route.useSearch()
  const catalogue = useCatalogue()
  const news = useNews(['permission', 'role_template'], catalogue)
  return (
    <>
      <PageHeader
        title={t('places.catalogue')}
        description={t('catalogue.about')}
        actions={tab === 'templates' ? <NewTemplate /> : <NewPermission />}
      />
      <PageTabs
        tab={tab}
        titles={{ permissions: t('catalogue.permissions'), templates: t('catalogue.templates') }}
        label={t('places.catalogue')}
        onChange={(chosen) => void navigate({ search: chosen === 'templates' ? { tab: chosen } : {} })}
      >
        <ListNews news={news} />
        <Loaded query={catalogue} height={480}>
          {(data) =>
            tab === 'templates' ? (
              <TemplateTable templates={data.templates} />
            ) : (
              <PermissionTable catalogue={data} />
            )
          }
        </Loaded>
      </PageTabs>
    </>
  )
}

const NewPermission = () => {
  const { t } = useTranslation()
  return (
    <DialogButton label={t('catalogue.createPermission')}>
      {(onClose) => <CreatePermission onClose={onClose} />}
    </DialogButton>
  )
}

const NewTemplate = () => {
  const { t } = useTranslation()
  const navigate = route.useNavigate()
  return (
    <DialogButton label={t('catalogue.createTemplate')}>
      {(onClose) => (
        <CreateTemplate
          onClose={onClose}
          onCreated={({ id }) =>
            navigate({
              to: '/catalogue/$templateId',
              params: { templateId: String(id) },
              search: {},
              // The form was sent, so no typed text is lost.
              ignoreBlocker: true,
            })
          }
        />
      )}
    </DialogButton>
  )
}
