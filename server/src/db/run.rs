//! Runs queries. The same methods as `diesel::RunQueryDsl`, which compiles the whole way through both drivers anew for every query: for a thousand
//! queries that is a sixth of the program. Here only a query's text and values are its own, and all share the way.
use crate::db::conn::Conn;
use diesel::QueryResult;
use diesel::backend::Backend;
use diesel::connection::{Connection, LoadConnection};
use diesel::deserialize::FromSqlRow;
use diesel::dsl::Limit;
use diesel::expression::QueryMetadata;
use diesel::query_builder::{AsQuery, AstPass, Query, QueryFragment, QueryId};
use diesel::query_dsl::CompatibleType;
use diesel::query_dsl::methods::{ExecuteDsl, LimitDsl};
use diesel::result::Error as DieselError;
use diesel::sql_types::Untyped;
use std::ops::Deref;

/// The SQL types of the columns that a query returns for rows of the type `U`.
type Columns<Q, U, DB> = <<Q as AsQuery>::SqlType as CompatibleType<U, DB>>::SqlType;

/// A query whose rows are read as `U`.
pub trait RowsAs<'query, C, U>: Sized {
    fn rows(self, conn: &mut C) -> QueryResult<Vec<U>>;
    fn first_row(self, conn: &mut C) -> QueryResult<U>;
}

impl<'query, C, U, Q> RowsAs<'query, C, U> for Q
where
    C: LoadConnection,
    C::Backend: QueryMetadata<Untyped> + 'static,
    Q: AsQuery + RunQueryDsl<C>,
    Q::Query: QueryFragment<C::Backend> + 'query,
    Q::SqlType: CompatibleType<U, C::Backend>,
    U: FromSqlRow<Columns<Q, U, C::Backend>, C::Backend>,
{
    fn rows(self, conn: &mut C) -> QueryResult<Vec<U>> {
        let mut rows = Vec::new();
        for row in conn.load(shared(self))? {
            rows.push(U::build_from_row(&row?).map_err(DieselError::DeserializationError)?);
        }
        Ok(rows)
    }

    fn first_row(self, conn: &mut C) -> QueryResult<U> {
        let row = conn.load(shared(self))?.next().ok_or(DieselError::NotFound)??;
        U::build_from_row(&row).map_err(DieselError::DeserializationError)
    }
}

/// What can be run on a connection: on `Conn`, or on the one of a database.
pub trait RunQueryDsl<C>: Sized {
    /// All rows.
    fn load<'query, U>(self, conn: &mut C) -> QueryResult<Vec<U>>
    where
        Self: RowsAs<'query, C, U>,
    {
        self.rows(conn)
    }

    /// The only row, or the first one.
    fn get_result<'query, U>(self, conn: &mut C) -> QueryResult<U>
    where
        Self: RowsAs<'query, C, U>,
    {
        self.first_row(conn)
    }

    /// All rows, of a statement that changes them.
    fn get_results<'query, U>(self, conn: &mut C) -> QueryResult<Vec<U>>
    where
        Self: RowsAs<'query, C, U>,
    {
        self.rows(conn)
    }

    /// The first row; asks for no more.
    fn first<'query, U>(self, conn: &mut C) -> QueryResult<U>
    where
        Self: LimitDsl,
        Limit<Self>: RowsAs<'query, C, U>,
    {
        self.limit(1).first_row(conn)
    }

    /// Returns the number of rows that changed.
    fn execute(self, conn: &mut C) -> QueryResult<usize>
    where
        C: Connection,
        Self: QueryFragment<C::Backend>,
    {
        let query: &dyn QueryFragment<C::Backend> = &self;
        conn.execute_returning_count(&Shared(query))
    }

    /// Inserts several rows, for which diesel has a way of its own on SQLite: one statement each.
    fn execute_each(self, conn: &mut C) -> QueryResult<usize>
    where
        C: Connection,
        Self: ExecuteDsl<C>,
    {
        ExecuteDsl::execute(self, conn)
    }
}

impl<C, T: diesel::RunQueryDsl<Conn>> RunQueryDsl<C> for T {}

fn shared<'query, DB: Backend, Q>(query: Q) -> Shared<Box<dyn QueryFragment<DB> + 'query>>
where
    Q: AsQuery<Query: QueryFragment<DB> + 'query>,
{
    Shared(Box::new(query.as_query()))
}

/// Any query, behind a pointer.
struct Shared<P>(P);

impl<DB: Backend, P: Deref<Target: QueryFragment<DB>>> QueryFragment<DB> for Shared<P> {
    fn walk_ast<'b>(&'b self, pass: AstPass<'_, 'b, DB>) -> QueryResult<()> {
        self.0.walk_ast(pass)
    }

    fn is_safe_to_cache_prepared(&self, backend: &DB) -> QueryResult<bool> {
        self.0.is_safe_to_cache_prepared(backend)
    }
}

impl<P> QueryId for Shared<P> {
    /// Cached by its text.
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl<P> Query for Shared<P> {
    type SqlType = Untyped;
}
