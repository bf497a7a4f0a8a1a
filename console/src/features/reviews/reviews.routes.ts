import { createRoute, lazyRouteComponent, notFound } from '@tanstack/react-router'
import { loadPage } from '../../i18n.ts'
import { shellRoute } from '../../routes.ts'
import { reviewSearch, reviewsSearch } from './reviews.search.ts'

/** Reviewers need no permission, so the pages name none. */
export const reviewsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/reviews',
  validateSearch: reviewsSearch,
  component: lazyRouteComponent(
    loadPage(['access', 'platform', 'reviews'], () => import('./reviews-page.tsx')),
    'ReviewsPage',
  ),
  staticData: { title: 'places.reviews' },
})

export const reviewRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/reviews/$reviewId',
  validateSearch: reviewSearch,
  beforeLoad: ({ params }) => {
    if (!/^[1-9]\d{0,15}$/.test(params.reviewId)) notFound({ throw: true })
  },
  component: lazyRouteComponent(
    loadPage(['access', 'reviews'], () => import('./review-page.tsx')),
    'ReviewPage',
  ),
  staticData: { title: 'places.review' },
})
