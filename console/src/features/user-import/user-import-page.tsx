import { Skeleton } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from '../../translation.ts'
import { BackLink } from '../../components/back-link.tsx'
import { lazyPart } from '../../components/lazy-part.tsx'
import { LeaveQuestion } from '../../components/leave-question.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { ChooseFile } from './choose-file.tsx'
import type { ImportFile } from './read-file.ts'
import type { LeaveRisk } from './use-import.ts'

const ImportRun = lazyPart(
  async () => (await import('./import-run.tsx')).ImportRun,
  <Skeleton height={320} />,
)

/** Imports users from a CSV file: choose it, check it, send it, read the outcome of each row. */
export const UserImportPage = () => {
  const { t } = useTranslation()
  const [file, setFile] = useState<ImportFile>()
  const [leaveRisk, setLeaveRisk] = useState<LeaveRisk>()
  return (
    <>
      <BackLink to="/users">{t('places.users')}</BackLink>
      <PageHeader title={t('places.userImport')} description={file?.name ?? t('userImport.description')} />
      {file ? (
        <ImportRun
          file={file}
          isUnsaved={leaveRisk !== undefined}
          onLeaveRisk={setLeaveRisk}
          onAnother={() => setFile(undefined)}
        />
      ) : (
        <ChooseFile onFile={setFile} />
      )}
      {/* Asks before leaving while work is running or passwords are unsaved. */}
      <LeaveQuestion
        isUnsaved={leaveRisk !== undefined}
        title={t('userImport.leaveTitle')}
        confirm={t('userImport.leave')}
      >
        {t(leaveRisk === 'unsaved' ? 'userImport.leaveUnsaved' : 'userImport.leaveText')}
      </LeaveQuestion>
    </>
  )
}
