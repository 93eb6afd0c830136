//! Writes that wait for SQLite's one writer share a transaction: what each of them costs is mostly the disk's answer at its end,
//! and one answer does for all. Each keeps a savepoint of its own, so that one that fails takes nothing with it.
use super::{AppError, Conn, Database, Purpose, transaction};
use diesel::connection::TransactionManager;
use diesel::prelude::*;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::oneshot::{Receiver, Sender, channel};

/// No further write joins a transaction that has lasted this long: those who are done wait for its end.
const LONGEST_TO_JOIN: Duration = Duration::from_millis(5);

/// Writes in the order of their coming. Cheap to clone.
#[derive(Clone, Default)]
pub struct Queue(Arc<Mutex<VecDeque<Box<dyn Waiting>>>>);

/// A write that somebody waits for.
trait Waiting: Send {
    fn is_wanted(&self) -> bool;
    /// Writes, and says whether what was written is to stay.
    fn write(&mut self, conn: &mut Conn) -> bool;
    /// Writes in a transaction of its own.
    fn write_alone(&mut self, conn: &mut Conn);
    fn answer(self: Box<Self>);
    fn refuse(self: Box<Self>, error: AppError);
}

struct Write<T, F> {
    work: F,
    result: Option<Result<T, AppError>>,
    reply: Sender<Result<T, AppError>>,
}

impl<T, F> Waiting for Write<T, F>
where
    T: Send,
    F: FnMut(&mut Conn) -> Result<T, AppError> + Send,
{
    fn is_wanted(&self) -> bool {
        !self.reply.is_closed()
    }

    fn write(&mut self, conn: &mut Conn) -> bool {
        let result = unless_it_panics(|| (self.work)(conn));
        self.result.insert(result).is_ok()
    }

    fn write_alone(&mut self, conn: &mut Conn) {
        let work = &mut self.work;
        self.result = Some(transaction(conn, Purpose::Write, &mut |conn| unless_it_panics(|| work(conn))));
    }

    fn answer(self: Box<Self>) {
        // Nobody may be waiting any more.
        let _ = self.reply.send(self.result.unwrap_or_else(|| Err(AppError::internal("a write was left out"))));
    }

    fn refuse(self: Box<Self>, error: AppError) {
        let _ = self.reply.send(Err(error));
    }
}

/// A handler that panics must not take the others' writes with it.
fn unless_it_panics<T>(work: impl FnOnce() -> Result<T, AppError>) -> Result<T, AppError> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| Err(AppError::internal("a write panicked")))
}

impl Queue {
    pub fn push<T, F>(&self, work: F) -> Receiver<Result<T, AppError>>
    where
        T: Send + 'static,
        F: FnMut(&mut Conn) -> Result<T, AppError> + Send + 'static,
    {
        let (reply, result) = channel();
        let write = Write { work, result: None, reply };
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push_back(Box::new(write));
        result
    }

    /// The next write. One whose customer has gone away before it began is left out.
    fn next(&self) -> Option<Box<dyn Waiting>> {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        std::iter::from_fn(|| waiting.pop_front()).find(|write| write.is_wanted())
    }

    /// Does what waits, until nothing does. Whoever calls this has the turn to write.
    pub fn work_off(&self, database: &Database) {
        while let Some(first) = self.next() {
            let mut pooled = match database.writers.get() {
                Ok(pooled) => pooled,
                Err(error) => return first.refuse(AppError::pool(error)),
            };
            let conn = &mut pooled.conn;
            let mut writes = vec![first];
            if self.write_together(conn, &mut writes).is_err() {
                writes.iter_mut().for_each(|write| write.write_alone(conn));
            }
            writes.into_iter().for_each(Waiting::answer);
        }
    }

    /// Writes the first of the list, and whatever comes meanwhile, in one transaction. When that fails as a whole, nothing
    /// of it has happened.
    fn write_together(&self, conn: &mut Conn, writes: &mut Vec<Box<dyn Waiting>>) -> Result<(), AppError> {
        let begin = Instant::now();
        transaction(conn, Purpose::Write, &mut |conn| {
            for index in 0.. {
                type Savepoints = <Conn as Connection>::TransactionManager;
                Savepoints::begin_transaction(conn)?;
                if writes[index].write(conn) {
                    Savepoints::commit_transaction(conn)?;
                } else {
                    Savepoints::rollback_transaction(conn)?;
                }
                if begin.elapsed() > LONGEST_TO_JOIN {
                    break;
                }
                match self.next() {
                    Some(next) => writes.push(next),
                    None => break,
                }
            }
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use diesel::connection::SimpleConnection;
    use diesel::sql_types::BigInt;
    use postern_core::code::Code;

    #[derive(QueryableByName)]
    struct Written {
        #[diesel(sql_type = BigInt)]
        number: i64,
    }

    fn written(database: &Database) -> Vec<i64> {
        let query = diesel::sql_query("SELECT number FROM written ORDER BY number");
        let rows = database.read_blocking(|conn| Ok(query.load::<Written>(conn)?)).expect("rows");
        rows.iter().map(|row| row.number).collect()
    }

    #[actix_web::test]
    async fn who_fails_takes_no_other_with_them_and_who_has_left_writes_nothing() {
        let folder = std::env::temp_dir().join(format!("postern-group-commit-{}", std::process::id()));
        let database = Database::open(&format!("sqlite:{}/shop.db", folder.display()), 4).expect("a database");
        let create = |conn: &mut Conn| Ok(conn.batch_execute("CREATE TABLE written (number INTEGER PRIMARY KEY)")?);
        database.write_blocking(create).expect("a table");
        // While the first has the turn, the others come.
        let write = |number: i64| {
            let database = database.clone();
            let work = move |conn: &mut Conn| {
                if number == 0 {
                    std::thread::sleep(Duration::from_millis(100));
                }
                conn.batch_execute(&format!("INSERT INTO written VALUES ({number})"))?;
                match number % 4 {
                    1 => Err(AppError::code(Code::NotFound)),
                    2 => panic!("as a fault in a handler would"),
                    _ => Ok(number),
                }
            };
            async move { database.write(work).await }
        };
        let writes: Vec<_> = (0..40).map(|number| actix_web::rt::spawn(write(number))).collect();
        tokio::time::sleep(Duration::from_millis(30)).await;
        writes[39].abort();
        for (number, write) in (0..).zip(writes) {
            match (number, write.await) {
                (39, Err(error)) => assert!(error.is_cancelled()),
                (_, Ok(Ok(answer))) => assert_eq!((answer, number % 4 == 0 || number % 4 == 3), (number, true)),
                (_, Ok(Err(AppError::Answer(refusal)))) => assert_eq!((number % 4, refusal.code), (1, Code::NotFound)),
                (_, Ok(Err(AppError::Internal(_)))) => assert_eq!(number % 4, 2),
                (number, other) => {
                    panic!("{number}: {:?}", other.map(|answer| answer.map_err(|error| error.to_string())))
                }
            }
        }
        let expected: Vec<i64> = (0..39).filter(|number| matches!(number % 4, 0 | 3)).collect();
        assert_eq!(written(&database), expected);
        std::fs::remove_dir_all(&folder).expect("gone");
    }

    #[actix_web::test]
    async fn what_fails_as_a_whole_is_written_one_by_one() {
        let folder = std::env::temp_dir().join(format!("postern-group-commit-whole-{}", std::process::id()));
        let database = Database::open(&format!("sqlite:{}/shop.db", folder.display()), 4).expect("a database");
        // A reference that is checked at the transaction's end: the database refuses all of it then.
        let create = |conn: &mut Conn| {
            Ok(conn.batch_execute(
                "CREATE TABLE written (number INTEGER PRIMARY KEY, of INTEGER REFERENCES written DEFERRABLE INITIALLY DEFERRED)",
            )?)
        };
        database.write_blocking(create).expect("a table");
        let write = |number: i64| {
            let database = database.clone();
            let work = move |conn: &mut Conn| {
                if number == 0 {
                    std::thread::sleep(Duration::from_millis(100));
                }
                let of = if number == 3 { 1_000 } else { number };
                Ok(conn.batch_execute(&format!("INSERT INTO written VALUES ({number}, {of})"))?)
            };
            async move { database.write(work).await }
        };
        let writes: Vec<_> = (0..6).map(|number| actix_web::rt::spawn(write(number))).collect();
        for (number, write) in (0..).zip(writes) {
            assert_eq!(write.await.expect("an answer").is_ok(), number != 3, "{number}");
        }
        assert_eq!(written(&database), [0, 1, 2, 4, 5]);
        std::fs::remove_dir_all(&folder).expect("gone");
    }
}
