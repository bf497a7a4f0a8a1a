import { Pagination } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useTranslation } from '../translation.ts'

interface PageLinksProps {
  total: number
  value: number
  onChange: (page: number) => void
  isEndless: boolean | undefined
}

/** Controls that open a page of a list. An endless list has only its newer and older pages. */
export const PageLinks = ({ isEndless, ...pages }: PageLinksProps) => {
  const { t } = useTranslation()
  return (
    <Pagination
      size="sm"
      {...pages}
      getItemProps={(one) => ({ 'aria-label': t('table.page', { page: one }) })}
      {...(isEndless ? endless : { getControlProps: (control) => ({ 'aria-label': t(`table.${control}`) }) })}
    />
  )
}

const Newer = () => (
  <>
    <IconChevronLeft size={16} /> {useTranslation().t('table.newer')}
  </>
)

const Older = () => (
  <>
    {useTranslation().t('table.older')} <IconChevronRight size={16} />
  </>
)

/** The pager of an endless list, which fits a narrow screen. */
const endless = {
  previousIcon: Newer,
  nextIcon: Older,
  getControlProps: () => ({ withPadding: true }),
  siblings: 0,
  gap: 4,
}
