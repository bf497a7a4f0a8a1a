import { Button } from '@mantine/core'
import { IconPrinter } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { createPortal } from 'react-dom'
import { useTranslation } from '../../translation.ts'
import { client } from '../../session/client.ts'

interface PrintCodesProps {
  codes: string[]
  onPrinted: () => void
}

export const PrintCodes = ({ codes, onPrinted }: PrintCodesProps) => {
  const { t } = useTranslation()
  const run = (): void => {
    print()
    onPrinted()
  }
  return (
    <>
      <Button variant="default" leftSection={<IconPrinter size={16} />} onClick={run}>
        {t('factors.codesPrint')}
      </Button>
      <Paper codes={codes} />
    </>
  )
}

/** The page prints only this (app.css). A restricted session may read its own profile. */
const Paper = ({ codes }: { codes: string[] }) => {
  const { t } = useTranslation()
  const { data } = useQuery({
    queryKey: ['profile'],
    queryFn: ({ signal }) => client.profile.get({}, { signal }),
  })
  return createPortal(
    <section className="printed">
      <h1>{t('factors.codes')}</h1>
      <p>{location.origin}</p>
      <p>{data?.email}</p>
      <pre>{codes.join('\n')}</pre>
    </section>,
    document.body,
  )
}
